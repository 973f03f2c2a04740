/**
 * V8's flags, each with what its absence costs. A till's resident memory after 400 sales (`npm run bench -- --only
 * till`) is 142 MB with all of them and 205 MB with none.
 */
export const tillFlags = [
  // 149 MB without. It keeps the young space small too.
  '--optimize-for-size',
  // 144 MB without; collections come sooner, so that a long day stays as flat as its first hour.
  '--heap-growing-percent=10',
  // A bound that saves nothing: a till that leaked would end and start anew before the register's program is pushed out.
  '--max-old-space-size=256',
  // 151 MB without, for code that a till runs too seldom to gain by it.
  '--no-maglev',
];

/** Of the gateway: resident memory at load, and payments a second (`npm run bench -- --only gateway`). */
export const gatewayFlags = [
  // With 4 MB of young space a payment takes 38 µs more of collections, and the process 20 MB less.
  '--max-semi-space-size=8',
  // With 30 in place of 100 it takes a tenth less memory, at nine tenths of the speed.
  '--heap-growing-percent=100',
  // 172 MB in place of 145 without, and no faster.
  '--no-maglev',
];
