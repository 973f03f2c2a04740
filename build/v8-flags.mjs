/**
 * V8's flags, each with the cost of leaving it out. A till's resident memory after 400 sales (`npm run bench -- --only
 * till`) is 142 MB with all of them and 205 MB with none.
 */
export const tillFlags = [
  // 149 MB without. It also keeps the young generation small.
  '--optimize-for-size',
  // 144 MB without. The heap is collected sooner, so that memory stays level through a long day.
  '--heap-growing-percent=10',
  // A limit that saves nothing: a till with a memory leak would crash and restart before it displaces the point-of-sale
  // software.
  '--max-old-space-size=256',
  // 151 MB without, spent on code that a till runs too rarely to benefit.
  '--no-maglev',
];

/** The gateway's flags: resident memory under load, and payments per second (`npm run bench -- --only gateway`). */
export const gatewayFlags = [
  // With a young generation of 4 MB, a payment takes 38 µs more of garbage collection, and the process takes 20 MB
  // less.
  '--max-semi-space-size=8',
  // With 30 in place of 100 the gateway takes a tenth less memory, at nine tenths of the speed.
  '--heap-growing-percent=100',
  // 172 MB without instead of 145, and no faster.
  '--no-maglev',
];
