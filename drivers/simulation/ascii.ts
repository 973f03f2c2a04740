/** Text in data elements of formats a, an and ans. */

/** The bytes of a Latin text. */
export const tlvText = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
