/** The signature over a payment token (Payment Token Format Reference, "Verify the signature"). */
import { verify, type X509Certificate } from 'node:crypto';
import { sha256 } from '../agreement.ts';
import { refuse } from '../token.ts';
import { signerOf } from './chain.ts';
import { type SignedData, signedDataIn } from './signed-data.ts';
import type { ApplePaymentData } from './token.ts';

type Signed = Pick<ApplePaymentData, 'data'> & {
  header: {
    transactionId: string;
    applicationData?: string | undefined;
    ephemeralPublicKey?: string;
    wrappedKey?: string;
  };
};

/** What is signed: ephemeral public key or wrapped key, data, transaction id, application data. */
export const signedContent = ({ data, header }: Signed): Buffer =>
  Buffer.concat([
    Buffer.from(header.ephemeralPublicKey ?? header.wrappedKey ?? '', 'base64'),
    Buffer.from(data, 'base64'),
    Buffer.from(header.transactionId, 'hex'),
    Buffer.from(header.applicationData ?? '', 'hex'),
  ]);

/** When the token was signed, wall time in ms. Throws `wallet.refused` when it is not what Apple signed. */
export const signingTimeOf = async (
  token: Signed & Pick<ApplePaymentData, 'signature'>,
  roots: readonly string[],
): Promise<number> => {
  const signed = await signedDataIn(Buffer.from(token.signature, 'base64'));
  const signer = signerOf(signed, roots);
  if (!isSignedBy(signer, signed)) throw refuse('its signature is not by its signer');
  if (!sha256(signedContent(token)).equals(signed.messageDigest)) {
    throw refuse('its signature is for other data: something in it was changed after it was signed');
  }
  return signed.signingTime;
};

/** ECDSA or RSA PKCS #1, as the signer's key is. */
const isSignedBy = ({ publicKey }: X509Certificate, { signedAttributes, signature }: SignedData): boolean =>
  verify('sha256', signedAttributes, publicKey, signature);
