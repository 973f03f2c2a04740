/** Whether a token was signed in Apple's name: its signer's certificate, the one above it, and a trusted root. */
import { X509Certificate } from 'node:crypto';
import { refuse } from '../token.ts';
import type { ChainCertificate, SignedData } from './signed-data.ts';

/** Apple’s marks of the certificates that may sign payments, and of the authority over them. */
const LEAF = '1.2.840.113635.100.6.29';
const INTERMEDIATE = '1.2.840.113635.100.6.2.14';

const UNTRUSTED = 'its signature’s chain does not end at a trusted root';

/**
 * The certificate of the signer. All of the chain must have been valid when it signed: a token is as old as its
 * signature. `roots` are PEM. Throws `wallet.refused`.
 */
export const signerOf = ({ certificates, signingTime }: SignedData, roots: readonly string[]): X509Certificate => {
  const leaf = onlyOne(certificates, LEAF, 'the certificate that signed it');
  const intermediate = onlyOne(certificates, INTERMEDIATE, 'the authority over its signer');
  if (certificates.length !== 2) throw refuse('its signature has other certificates than signer and authority');
  const root = roots.map(rootOf).find((each) => isIssuedBy(intermediate, each));
  if (root === undefined) throw refuse(UNTRUSTED);
  if (leaf.ca || !intermediate.ca || !root.ca || !isIssuedBy(leaf, intermediate)) throw refuse(UNTRUSTED);
  const isOver = [leaf, intermediate, root].some(({ validFromDate, validToDate }) => {
    return signingTime < validFromDate.getTime() || signingTime > validToDate.getTime();
  });
  if (isOver) throw refuse('a certificate of its signature’s chain was not valid when it was signed');
  return leaf;
};

const onlyOne = (certificates: readonly ChainCertificate[], mark: string, what: string): X509Certificate => {
  const [found, ...others] = certificates.filter(({ extensions }) => extensions.has(mark));
  if (found === undefined || others.length > 0) throw refuse(`${what} is missing, or lacks Apple’s mark ${mark}`);
  return found.certificate;
};

const isIssuedBy = (child: X509Certificate, parent: X509Certificate): boolean =>
  child.checkIssued(parent) && child.verify(parent.publicKey);

const parsed = new Map<string, X509Certificate>();

const rootOf = (pem: string): X509Certificate => {
  const known = parsed.get(pem) ?? new X509Certificate(pem);
  parsed.set(pem, known);
  return known;
};
