//! P
fn main(){}
