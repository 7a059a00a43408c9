//! Rows with aligned columns.

use prompt_slots::printable;

/// Returns rows as lines, each column as wide as its widest cell. Control characters in cells are escaped.
pub(crate) fn align<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let rows: Vec<[String; N]> = rows
        .iter()
        .map(|row| row.each_ref().map(|cell| printable(cell)))
        .collect();
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    rows.iter()
        .map(|row| {
            // A column without any text takes no room.
            let cells = row.iter().zip(widths).filter(|(_, width)| *width > 0);
            let line: Vec<String> = cells
                .map(|(cell, width)| format!("{cell:width$}"))
                .collect();
            line.join("  ").trim_end().to_owned()
        })
        .collect()
}

/// Like [`align`], for a terminal of this width: leaves columns out, in the order of `least`, until the rest has room.
pub(crate) fn align_within<const N: usize>(
    width: Option<usize>,
    rows: &[[String; N]],
    least: &[usize],
) -> Vec<String> {
    let mut rows = rows.to_vec();
    let mut least = least.iter();
    loop {
        let lines = align(&rows);
        let widest = lines.iter().map(|line| line.chars().count()).max();
        let has_room = width.is_none_or(|width| widest.unwrap_or(0) <= width);
        let Some(column) = least.next().filter(|_| !has_room) else {
            return lines;
        };
        for cell in rows.iter_mut().filter_map(|row| row.get_mut(*column)) {
            cell.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_terminal_gets_fewer_columns() {
        let rows = [["name", "format", "state"], ["a", "jinja2", "in force"]];
        let rows = rows.map(|row| row.map(str::to_owned));
        let whole = ["name  format  state", "a     jinja2  in force"];
        assert_eq!(align_within(None, &rows, &[1]), whole);
        assert_eq!(align_within(Some(22), &rows, &[1]), whole);
        let less = ["name  state", "a     in force"];
        assert_eq!(align_within(Some(21), &rows, &[1]), less);
        assert_eq!(align_within(Some(3), &rows, &[1]), less);
    }
}
