//! Filters that order a list, or tell its items apart.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use minijinja::value::{Tuple, ValueKind};
use minijinja::{Error, Value};

use super::Call;
use crate::engine::jinja::lazy::Group;
use crate::engine::jinja::order::{self, Attribute, compare};

pub(super) fn sort(call: &mut Call) -> Result<Value, Error> {
    let attributes = Attribute::several(call.arg("attribute"))?;
    let case_sensitive = call.flag("case_sensitive")?;
    let mut keyed = Vec::new();
    for item in call.items(&call.value()?)? {
        let keys = attributes
            .iter()
            .map(|attribute| attribute.key(call, &item, None, case_sensitive));
        keyed.push((keys.collect::<Result<Vec<_>, _>>()?.into(), item));
    }
    let sorted = order::sort(call, keyed, call.flag("reverse")?)?;
    Ok(sorted.into_iter().map(|(_, item)| item).collect())
}

pub(super) fn dictsort(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    if value.kind() != ValueKind::Map {
        return Err(call.error("needs a map"));
    }
    let by = call.text_of("by", "key")?;
    if by != "key" && by != "value" {
        return Err(call.error("sorts by `key` or `value`"));
    }
    let case_sensitive = call.flag("case_sensitive")?;
    let mut keyed = Vec::new();
    for key in call.items(&value)? {
        let item = value.get_item(&key)?;
        let by = if by == "key" {
            key.clone()
        } else {
            item.clone()
        };
        let by = order::sortable(call, by, case_sensitive)?;
        keyed.push((by, Tuple::from([key, item]).into()));
    }
    let sorted = order::sort(call, keyed, call.flag("reverse")?)?;
    Ok(sorted.into_iter().map(|(_, pair)| pair).collect())
}

pub(super) fn groupby(call: &mut Call) -> Result<Value, Error> {
    let attribute = Attribute::new(Some(&call.required("attribute")?))?;
    let default = call.given("default");
    default.iter().try_for_each(|default| call.weigh(default))?;
    let case_sensitive = call.flag("case_sensitive")?;
    let mut keyed = Vec::new();
    for item in call.items(&call.value()?)? {
        call.weigh(&item)?;
        keyed.push((
            attribute.key(call, &item, default.as_ref(), case_sensitive)?,
            item,
        ));
    }
    let sorted = order::sort(call, keyed, false)?;
    let mut groups: Vec<Value> = Vec::new();
    for group in sorted.chunk_by(|(a, _), (b, _)| a == b) {
        // The group is named by its first item, whose letters may be larger than those of the key.
        let grouper = attribute.of(call, &group[0].1, default.as_ref())?;
        let list = group.iter().map(|(_, item)| item.clone()).collect();
        groups.push(Value::from_object(Group { grouper, list }));
    }
    Ok(groups.into())
}

pub(super) fn unique(call: &mut Call) -> Result<Value, Error> {
    let attribute = Attribute::new(call.arg("attribute"))?;
    let case_sensitive = call.flag("case_sensitive")?;
    let mut seen = BTreeSet::new();
    let mut items = Vec::new();
    for item in call.items(&call.value()?)? {
        let key = attribute.key(call, &item, None, case_sensitive)?;
        if matches!(
            key.kind(),
            ValueKind::Seq | ValueKind::Iterable | ValueKind::Map
        ) {
            return Err(call.error("cannot tell lists and maps apart"));
        }
        call.pay(seen.len().checked_ilog2().unwrap_or(0) as usize)?;
        if seen.insert(key) {
            items.push(item);
        }
    }
    Ok(call.lazy(items))
}

pub(super) fn min(call: &mut Call) -> Result<Value, Error> {
    extreme(call, Ordering::Less)
}

pub(super) fn max(call: &mut Call) -> Result<Value, Error> {
    extreme(call, Ordering::Greater)
}

/// Returns the first item that none is `beyond`.
fn extreme(call: &mut Call, beyond: Ordering) -> Result<Value, Error> {
    let attribute = Attribute::new(call.arg("attribute"))?;
    let case_sensitive = call.flag("case_sensitive")?;
    let mut best: Option<(Value, Value)> = None;
    for item in call.items(&call.value()?)? {
        let key = attribute.key(call, &item, None, case_sensitive)?;
        let better = match &best {
            Some((best, _)) => compare(&key, best)? == beyond,
            None => true,
        };
        if better {
            best = Some((key, item));
        }
    }
    Ok(best.map(|(_, item)| item).unwrap_or_default())
}
