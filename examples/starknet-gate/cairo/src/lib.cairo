pub mod fee_gate;
