/** What nearly all clients send and look for in an answer. */

/** The success pattern of older clients, which lacks the newest branch. */
export const approvedCode = /^(000\.000\.|000\.100\.1|000\.[36])/;
export const approvedText = /^Request successfully processed/;
export const id = /^[0-9a-f]{32}$/;
export const amount = (digits: string) => new RegExp(`^${digits.replace('.', '\\.')}$`);
export const timestamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})?\+0000$/;
export const build = /^[0-9a-f]{40}@\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000$/;
export const ndcPattern = /^[A-Za-z0-9-]{1,69}$/;
export const envelope = { buildNumber: build, timestamp, ndc: ndcPattern } as const;
export const approval = { id, 'result.code': approvedCode, 'result.description': approvedText } as const;
export const visa = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
} as const;
export const cardShown = {
  'card.bin': /^420000$/,
  'card.last4Digits': /^0000$/,
  'card.holder': /^Jane Jones$/,
  'card.expiryMonth': /^05$/,
  'card.expiryYear': /^2034$/,
} as const;
