//! The fingerprint of a slot: which prompt ran, in 64 digits.

use std::fmt;

use crate::data::Data;
use crate::shared::Text;
use crate::spec::SlotSpec;

/// SHA-256 of canonical JSON. `{}` prints its 64 hexadecimal digits.
///
/// Canonical JSON has its names sorted by their bytes, no white space, numbers in the shortest form that reads back to
/// them, and text escaped only where JSON demands it; so the digits depend neither on the platform nor on the order of
/// keys in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// Makes a fingerprint from its bytes, for generated code.
    #[doc(hidden)]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the fingerprint of any data: of a slot's key, say.
    pub fn of(data: &Data) -> Self {
        let mut json = String::new();
        write_canonical(data, &mut json);
        Self(hmac_sha256::Hash::hash(json.as_bytes()))
    }

    /// Returns the first eight digits, for people.
    pub fn short(&self) -> String {
        let mut digits = self.to_string();
        digits.truncate(8);
        digits
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl SlotSpec {
    /// Returns the fingerprint of a merged slot.
    ///
    /// `based_on` and the writer's own `x-` keys don't count. `enabled` and `template_format` count with their defaults
    /// where nobody sets them, so that writing a default out changes nothing.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut spec = self.clone();
        spec.enabled.get_or_insert_default();
        spec.template_format.get_or_insert_default();
        spec.based_on = None;
        spec.extensions = Vec::<(Text, Data)>::new().into();
        Fingerprint::of(&spec.to_data())
    }
}

fn write_canonical(data: &Data, out: &mut String) {
    match data {
        Data::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_canonical(item, out);
            }
            out.push(']');
        }
        Data::Map(entries) => {
            let mut sorted: Vec<_> = entries.iter().collect();
            sorted.sort_by_key(|(name, _)| &**name);
            out.push('{');
            for (index, (name, value)) in sorted.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&serde_json::Value::from(&**name).to_string());
                out.push(':');
                write_canonical(value, out);
            }
            out.push('}');
        }
        leaf => out.push_str(&leaf.to_json().to_string()),
    }
}
