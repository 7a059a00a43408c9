//! Namespaces: the one value that a template changes in place, so the guard follows each attribute by name.
//!
//! That is only possible while a namespace has one name: it is bound where it is made, and never used as a value.

use super::ast::{Expr, Node};
use super::guard::Guard;
use super::{Span, hinted};

impl<'b, 's> Guard<'b, 's> {
    /// Binds the attributes that a call of `namespace` gives.
    pub(super) fn namespace(&mut self, name: &'s str, value: &'b Node<'s>) {
        let Expr::Call(_, args) = &value.expr else {
            return;
        };
        for map in &args.positional {
            self.namespace_map(name, map);
        }
        for (attr, value) in &args.named {
            let kind = self.value(value);
            self.bind((name, attr.text), kind);
        }
    }

    /// Binds the attributes that a namespace gets from a map that is written out.
    fn namespace_map(&mut self, name: &'s str, map: &'b Node<'s>) {
        let Expr::Map(pairs) = &map.expr else {
            return self.namespace_names(map.span);
        };
        for pair in pairs.chunks(2) {
            if let [key, value] = pair
                && let Expr::Text(Some(attr)) = key.expr
            {
                let kind = self.value(value);
                self.bind((name, attr), kind);
            } else {
                return self.namespace_names(map.span);
            }
        }
    }

    fn namespace_names(&mut self, span: Span) {
        self.report(hinted(
            span,
            "the names in a namespace must be written out",
            "write `namespace(name=value)`",
        ));
    }
}
