//! What the figures were measured on.

use std::fs;
use std::process::Command;

use crate::Result;
use crate::run::output;

/// Returns one line: processor, cores, system, compiler.
pub fn describe() -> Result<String> {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .and_then(|rest| rest.split_once(':'))
        .map_or("unknown processor", |(_, model)| model.trim());
    let cores = std::thread::available_parallelism()?;
    let system = output(Command::new("uname").args(["-sr"]))?;
    let compiler = output(Command::new("rustc").arg("--version"))?;
    Ok(format!("{model}, {cores} cores; {system}; {compiler}"))
}

/// Returns how busy the machine is: the processes that want to run, averaged over a minute.
pub fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().unwrap_or("unknown").to_owned()
}
