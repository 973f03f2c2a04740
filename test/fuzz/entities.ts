/** The clients of a fuzz run, and the secrets that must be found nowhere after it. */

export type Entity = { entityId: string; token: string };

/** One entity per shop: two ordinary ones, a lenient one, one with user and password, one with risk rules. */
export const entities = [
  { entityId: '8a8294174e735d0c014e78beb6b9154b', token: 'seeded-token-4f1d0c6e9b' },
  { entityId: '00000000000000000000000000000002', token: 'seeded-token-77ab19e2d3' },
  { entityId: '00000000000000000000000000000003', token: 'seeded-token-c05e2f8841' },
  { entityId: '00000000000000000000000000000004', token: 'seeded-token-1e9cc2ab70' },
  { entityId: '00000000000000000000000000000005', token: 'seeded-token-93fd6a5512' },
] as const satisfies readonly Entity[];

export const legacy = { userId: 'seeded-user-b7120', password: 'seeded-password-20c41' };

export const secrets = {
  pan: '4761739001010010',
  cvv: '9876',
  pinBlock: '7E5AD20C41B3986F',
  sred: '5B7E0D91C4A2F3685B7E0D91C4A2F368',
} as const;

/** Texts that no answer, log, metric or file may contain. */
export const needles: readonly string[] = [
  secrets.pan,
  secrets.pinBlock,
  secrets.sred,
  legacy.password,
  ...entities.map(({ token }) => token),
];
