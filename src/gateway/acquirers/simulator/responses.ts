/** ISO 8583 response codes (DE 39) as this acquirer answers them: the gateway's result code and the words to print. */

export type Response = {
  /** What it means here, for people. */
  readonly says: string;
  /** The gateway's result code. */
  readonly resultCode: string;
  /** Letters and digits, host API 2.34 pos.statusText: no spaces, so one word that anybody reads. */
  readonly statusText: string;
  /** Mastercard's merchant advice code: 01 ask for new card data, 02 try later, 03 do not try again. */
  readonly advice?: '01' | '02' | '03';
};

const declined = (says: string, resultCode: string, more: Partial<Response> = {}): Response => ({
  says,
  resultCode,
  statusText: 'DECLINED',
  ...more,
});

/** The paper does not tell a customer that the card is to be picked up. */
const pickUp = { advice: '03' } as const;

/** A positive decline never maps to 900.x: those mean that nobody knows. */
export const responses = {
  '00': { says: 'approved', resultCode: '000.100.110', statusText: 'APPROVED' },
  '01': declined('refer to the card issuer', '800.100.200'),
  '03': declined('invalid merchant', '800.100.190', { advice: '03' }),
  '04': declined('pick the card up', '800.100.171', pickUp),
  '05': declined('do not honour', '800.100.152'),
  '12': declined('invalid transaction', '800.100.154'),
  '13': declined('invalid amount', '800.100.174'),
  '14': declined('no such card', '800.100.151', { advice: '03' }),
  '15': declined('no such issuer', '800.100.169', { advice: '03' }),
  '30': declined('format error', '800.100.156'),
  '41': declined('lost card', '800.100.165', pickUp),
  '43': declined('stolen card', '800.100.159', pickUp),
  '51': declined('not enough funds', '800.100.155', { advice: '02' }),
  '54': declined('expired card', '800.100.157', { advice: '01' }),
  '55': declined('wrong PIN', '800.100.166'),
  '57': declined('not permitted to this card', '800.100.170', { advice: '03' }),
  '58': declined('not permitted to this terminal', '800.100.170', { advice: '03' }),
  '59': declined('suspected fraud', '800.100.158', { advice: '03' }),
  '61': declined('above the amount limit', '800.100.162', { advice: '02' }),
  '62': declined('restricted card', '800.100.168', { advice: '03' }),
  '63': declined('security violation', '800.100.158', { advice: '03' }),
  '65': declined('above the number of payments', '800.100.163', { advice: '02' }),
  '70': declined('PIN required', '300.100.100'),
  '75': declined('PIN tries used up', '800.100.178'),
  '81': declined('PIN block cannot be read', '800.100.156'),
  '82': declined('cryptogram or card verification value wrong', '800.100.158'),
  '91': declined('issuer not available', '800.100.176', { advice: '02' }),
  '94': declined('duplicate transaction', '800.110.100'),
  '96': declined('system malfunction', '800.100.100', { advice: '02' }),
  '1A': declined('additional authentication required', '300.100.100'),
  N7: declined('card security code wrong', '800.100.153'),
} as const satisfies Record<string, Response>;

export type ResponseCode = keyof typeof responses;

export const responseOf = (code: ResponseCode): Response => responses[code];

export const isResponseCode = (text: string): text is ResponseCode => Object.hasOwn(responses, text);
