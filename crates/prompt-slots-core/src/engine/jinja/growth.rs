//! How large a value may be: the kinds that the guard reasons with, and what each filter makes of them.

/// What is known of a value before it exists. Kinds only grow: [`Kind::join`] is what holds for either of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Kind {
    /// It may be, or hold, a text of bounded length.
    pub short_text: bool,
    /// It may be, or hold, a text that the template made longer.
    pub long_text: bool,
    /// It may be, or hold, a list or map of literals.
    pub constant: bool,
    /// It may be what the caller gave, or a part of that.
    pub given: bool,
    /// It may be a few given lists in a row: what `a + b` gives, where nobody says that these are numbers.
    pub summed: bool,
    /// It may be a list that `*` repeated.
    pub repeated: bool,
    /// How many levels of lists and maps the template built: 0 none, [`Kind::DEEP`] unknown.
    pub built: u8,
    /// How many operations that wrap or rework a collection lie on top of each other.
    pub layers: u8,
}

impl Kind {
    pub const NUMBER: Self = Self {
        short_text: false,
        long_text: false,
        constant: false,
        given: false,
        summed: false,
        repeated: false,
        built: 0,
        layers: 0,
    };
    pub const SHORT_TEXT: Self = Self {
        short_text: true,
        ..Self::NUMBER
    };
    pub const LONG_TEXT: Self = Self {
        long_text: true,
        ..Self::NUMBER
    };
    pub const GIVEN: Self = Self {
        given: true,
        ..Self::NUMBER
    };
    pub const CONSTANT: Self = Self {
        short_text: true,
        constant: true,
        ..Self::NUMBER
    };
    /// What nothing is known of.
    pub const ANY: Self = Self {
        short_text: true,
        long_text: true,
        constant: true,
        given: true,
        summed: true,
        repeated: true,
        built: Self::DEEP,
        layers: Self::MOST_LAYERS,
    };

    /// The level from which on the parts of a collection count as built, however far inside.
    pub const DEEP: u8 = 3;
    /// The most layers: each may cost a stack frame when the value is read or dropped.
    pub const MOST_LAYERS: u8 = 48;

    pub fn join(self, other: Self) -> Self {
        Self {
            short_text: self.short_text || other.short_text,
            long_text: self.long_text || other.long_text,
            constant: self.constant || other.constant,
            given: self.given || other.given,
            summed: self.summed || other.summed,
            repeated: self.repeated || other.repeated,
            built: self.built.max(other.built),
            layers: self.layers.max(other.layers),
        }
    }

    /// Returns the kind of a part of this value.
    pub fn part(self) -> Self {
        Self {
            given: self.given || self.repeated,
            repeated: false,
            built: match self.built {
                Self::DEEP => Self::DEEP,
                level => level.saturating_sub(1),
            },
            ..self
        }
    }

    /// Returns the kind of a `loop`, whose neighbours are of this kind.
    pub fn holder(self) -> Self {
        let level = u8::from(self.built > 0);
        Self {
            built: Self::DEEP.min(self.built + level),
            ..self
        }
    }

    /// Returns the kind of this value with one more layer on it.
    pub fn layered(self) -> Self {
        if self.is_flat() {
            return self;
        }
        Self {
            layers: Self::MOST_LAYERS.min(self.layers + 1),
            ..self
        }
    }

    /// Tells whether it is surely a number, a truth value or nothing.
    pub fn is_number(self) -> bool {
        self.is_flat() && !self.short_text && !self.long_text
    }

    /// Tells whether it is surely no list or map.
    pub fn is_flat(self) -> bool {
        !self.constant && !self.given && !self.summed && !self.repeated && self.built == 0
    }

    /// Tells whether it may be a collection whose size the template decides.
    pub fn is_built(self) -> bool {
        self.built > 0 || self.repeated
    }

    /// Tells whether the template may have made it arbitrarily long.
    pub fn is_grown(self) -> bool {
        self.is_built() || self.long_text
    }
}

/// What a filter does, as far as size goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Gives a number or a truth value.
    Number,
    /// Gives a part of its input.
    Part,
    /// Gives a part of its input, or its argument.
    Lookup,
    /// Gives its input in another shape: each element at most once.
    Reshape,
    /// Like `Reshape`, with its elements in new collections.
    Regroup,
    /// Like `Reshape`, keeping the elements that pass a test.
    Select,
    /// Gives its input or its argument.
    Fallback,
    /// Adds lists up.
    Sum,
    /// Gives the pieces of a text.
    Split,
    /// Writes any value as text, within a limit of its own.
    Write,
    /// Gives a text no longer than its input, or little.
    Polish,
    /// Gives any other text.
    Text,
}

/// Returns what a filter does; one that isn't known makes a text.
pub(super) fn effect(filter: &str) -> Effect {
    match filter {
        "length" | "count" | "int" | "float" | "round" | "abs" | "wordcount" => Effect::Number,
        "first" | "last" | "min" | "max" => Effect::Part,
        "list" | "sort" | "reverse" | "unique" | "map" => Effect::Reshape,
        "items" | "dictsort" | "batch" | "slice" | "groupby" => Effect::Regroup,
        "select" | "reject" | "selectattr" | "rejectattr" => Effect::Select,
        "default" | "d" => Effect::Fallback,
        "sum" => Effect::Sum,
        "split" => Effect::Split,
        "join" | "tojson" => Effect::Write,
        "trim" | "upper" | "lower" | "title" | "capitalize" | "truncate" | "string" | "safe"
        | "e" | "escape" => Effect::Polish,
        _ => Effect::Text,
    }
}

/// Returns what a method of a map or a text does.
pub(super) fn method_effect(method: &str) -> Effect {
    match method {
        "get" => Effect::Lookup,
        "keys" | "values" => Effect::Reshape,
        "startswith" | "endswith" => Effect::Number,
        "strip" | "lstrip" | "rstrip" => Effect::Polish,
        same => effect(same),
    }
}
