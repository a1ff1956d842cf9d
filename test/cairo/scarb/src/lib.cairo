mod handle;
mod circuits;
mod curve;
mod loops;
mod calls;
mod plan;
mod released;
