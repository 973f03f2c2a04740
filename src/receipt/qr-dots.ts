/** A QR code as rows of dots, with a quiet zone of four dots around it: black is true. */
import encodeQR from 'qr';

/** Error correction M, as a printer's own codes have it. */
export const codeDots = (code: string): readonly (readonly boolean[])[] =>
  encodeQR(code, 'raw', { ecc: 'medium', border: 4 });
