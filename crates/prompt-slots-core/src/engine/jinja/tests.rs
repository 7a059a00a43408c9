//! Tests of the judgement of templates, against an engine with its own built-in filters.
