export const tillFlags = [
  '--max-semi-space-size=2',
  '--optimize-for-size',
  '--heap-growing-percent=10',
  '--max-old-space-size=256',
  '--no-maglev',
];

export const gatewayFlags = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=100',
  '--v8-pool-size=1',
  '--no-maglev',
];
