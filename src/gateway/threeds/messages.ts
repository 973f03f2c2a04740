/**
 * The messages of EMV 3-D Secure (Protocol and Core Functions Specification 2.1 and 2.2, annexes A and B) that this
 * gateway uses, with the names from there.
 */

/** AReq. The version and the device channel determine which fields are present. */
export type AuthenticationRequest = Readonly<Record<string, unknown>> & {
  readonly messageType: 'AReq';
  readonly messageVersion: string;
  readonly threeDSServerTransID: string;
  /** 01 app, 02 browser, 03 the requestor without the cardholder (3RI). */
  readonly deviceChannel: '01' | '02' | '03';
  /** 01 payment, 02 no payment. */
  readonly messageCategory: '01' | '02';
  readonly acctNumber: string;
};

/**
 * Y authenticated, A attempted, N not authenticated, U not possible, R rejected, C challenge required, D the issuer
 * asks in its app (decoupled), I an exemption was noted.
 */
export type TransactionStatus = 'Y' | 'A' | 'N' | 'U' | 'R' | 'C' | 'D' | 'I';

/** ARes. */
export type AuthenticationResponse = {
  readonly messageType: 'ARes';
  readonly messageVersion: string;
  readonly threeDSServerTransID: string;
  readonly dsTransID: string;
  readonly acsTransID: string;
  readonly transStatus: TransactionStatus;
  readonly transStatusReason?: string;
  readonly eci?: string;
  readonly authenticationValue?: string;
  readonly acsURL?: string;
  readonly acsChallengeMandated?: 'Y' | 'N';
  readonly acsDecConInd?: 'Y' | 'N';
  readonly cardholderInfo?: string;
};

/**
 * RReq: the result of a challenge or a decoupled authentication. From the directory server, never through the browser.
 */
export type ResultsRequest = {
  readonly messageType: 'RReq';
  readonly threeDSServerTransID: string;
  readonly dsTransID: string;
  readonly acsTransID: string;
  readonly transStatus: Exclude<TransactionStatus, 'C' | 'D' | 'I'>;
  readonly transStatusReason?: string;
  readonly eci?: string;
  readonly authenticationValue?: string;
  /** 01: the cardholder cancelled. */
  readonly challengeCancel?: '01';
  readonly cardholderInfo?: string;
};

/** CReq, through the browser to the issuer. */
export type ChallengeRequest = {
  readonly messageType: 'CReq';
  readonly messageVersion: string;
  readonly threeDSServerTransID: string;
  readonly acsTransID: string;
  readonly challengeWindowSize: string;
};

/** A message encoded for a form: base64url without padding (RFC 4648, section 5), as EMV 3-D Secure requires. */
export const encodeMessage = (message: object): string =>
  Buffer.from(JSON.stringify(message), 'utf8').toString('base64url');

/** The maximum length: a browser's challenge messages have five short fields. */
const PACKED_MAX = 4096;

/**
 * The text fields of an encoded message; others are omitted. Undefined if it is not a message. Accepts padded
 * base64url, which some clients send wrongly.
 */
export const decodeMessage = (text: string | null): Readonly<Record<string, string>> | undefined => {
  if (text === null || text.length > PACKED_MAX || !/^[A-Za-z0-9_-]+={0,2}$/.test(text)) return undefined;
  try {
    const json: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
    const texts = Object.entries(json).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return Object.fromEntries(texts);
  } catch {
    return undefined;
  }
};

/** 36 characters, the format of EMV 3-D Secure's transaction ids: a version 4 UUID (RFC 9562). */
export const transactionId = (random: (length: number) => Uint8Array): string => {
  const bytes = random(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
