/** The signature over a payment token (Payment Token Format Reference, "Verify the signature"). */
import { verify, X509Certificate } from 'node:crypto';
import type * as Asn1 from 'asn1js';
import type * as Pkijs from 'pkijs';
import type { SignerInfo } from 'pkijs';
import { refuse } from '../opened-token.ts';
import { sha256 } from '../token.ts';
import type { ApplePaymentData } from './token.ts';

type Signed = Pick<ApplePaymentData, 'data'> & {
  header: { transactionId: string; applicationData?: string; ephemeralPublicKey?: string; wrappedKey?: string };
};

/** The signed content: ephemeral public key or wrapped key, data, transaction id, application data. */
export const signedContent = ({ data, header }: Signed): Buffer =>
  Buffer.concat([
    Buffer.from(header.ephemeralPublicKey ?? header.wrappedKey ?? '', 'base64'),
    Buffer.from(data, 'base64'),
    Buffer.from(header.transactionId, 'hex'),
    Buffer.from(header.applicationData ?? '', 'hex'),
  ]);

/** The time of the token's signature, wall time in ms. Throws `wallet.refused` unless Apple signed this content. */
export const signingTimeOf = async (
  token: Signed & Pick<ApplePaymentData, 'signature'>,
  roots: readonly string[],
): Promise<number> => {
  const signed = await parseSignedData(Buffer.from(token.signature, 'base64'));
  const signer = signerOf(signed, roots);
  if (!isSignedBy(signer, signed)) throw refuse('its signature does not match its signer’s certificate');
  if (!sha256(signedContent(token)).equals(signed.messageDigest)) {
    throw refuse('its signature is for different data: something in it was changed after it was signed');
  }
  return signed.signingTime;
};

/** ECDSA or RSA PKCS #1, depending on the signer's key. */
const isSignedBy = ({ publicKey }: X509Certificate, { signedAttributes, signature }: SignedData): boolean =>
  verify('sha256', signedAttributes, publicKey, signature);

// Whether a token was signed in Apple's name: its signer's certificate, the one above it, and a trusted root.

/** The certificate extensions with which Apple marks payment signers, and the authority above them. */
const LEAF = '1.2.840.113635.100.6.29';
const INTERMEDIATE = '1.2.840.113635.100.6.2.14';

const UNTRUSTED = 'its signature’s chain does not end at a trusted root';

/**
 * The signer's certificate. The whole chain must have been valid at the time of the signature. `roots` are PEM. Throws
 * `wallet.refused`.
 */
const signerOf = ({ certificates, signingTime }: SignedData, roots: readonly string[]): X509Certificate => {
  const leaf = singleCertificate(certificates, LEAF, 'the signer’s certificate');
  const intermediate = singleCertificate(
    certificates,
    INTERMEDIATE,
    'the certificate of the authority above its signer',
  );
  if (certificates.length !== 2)
    throw refuse('its signature has certificates other than those of signer and authority');
  const root = roots.map(rootOf).find((each) => isIssuedBy(intermediate, each));
  if (root === undefined) throw refuse(UNTRUSTED);
  if (leaf.ca || !intermediate.ca || !root.ca || !isIssuedBy(leaf, intermediate)) throw refuse(UNTRUSTED);
  const isOver = [leaf, intermediate, root].some(({ validFromDate, validToDate }) => {
    return signingTime < validFromDate.getTime() || signingTime > validToDate.getTime();
  });
  if (isOver) throw refuse('a certificate of its signature’s chain was not valid when it was signed');
  return leaf;
};

const singleCertificate = (
  certificates: readonly ChainCertificate[],
  mark: string,
  certificateName: string,
): X509Certificate => {
  const [match, ...others] = certificates.filter(({ extensions }) => extensions.has(mark));
  if (match === undefined || others.length > 0)
    throw refuse(`${certificateName} is missing, or lacks Apple’s mark ${mark}`);
  return match.certificate;
};

const isIssuedBy = (child: X509Certificate, parent: X509Certificate): boolean =>
  child.checkIssued(parent) && child.verify(parent.publicKey);

const cache = new Map<string, X509Certificate>();

const rootOf = (pem: string): X509Certificate => {
  const rootCertificate = cache.get(pem) ?? new X509Certificate(pem);
  cache.set(pem, rootCertificate);
  return rootCertificate;
};

// Parses the CMS of a token's signature (RFC 5652). Nothing is trusted yet.

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const DATA = '1.2.840.113549.1.7.1';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';
const SHA256 = '2.16.840.1.101.3.4.2.1';
/** ECDSA with SHA-256; RSA PKCS #1 by both of its names. */
const SIGNATURES = ['1.2.840.10045.4.3.2', '1.2.840.113549.1.1.11', '1.2.840.113549.1.1.1'];

type ChainCertificate = { certificate: X509Certificate; extensions: ReadonlySet<string> };

type SignedData = {
  certificates: readonly ChainCertificate[];
  /** DER, as signed. */
  signedAttributes: Buffer;
  signature: Buffer;
  messageDigest: Buffer;
  /** Wall time, ms. */
  signingTime: number;
};

const MALFORMED = 'its signature is not a detached CMS signature with SHA-256';

/**
 * Throws `wallet.refused` for bytes that are not a signature, or contain more than one signature or embedded content.
 */
const parseSignedData = async (bytes: Buffer): Promise<SignedData> => {
  // Loaded with the first token: most gateways never see one.
  const [pkijs, asn1js] = await Promise.all([import('pkijs'), import('asn1js')]);
  try {
    const { contentType, content, certificates, signers } = partsOf(asn1js.fromBER(bytes).result);
    // Embedded content would be a second child.
    const isDetached = content.length === 1 && nameOf(content[0]) === DATA;
    if (contentType !== SIGNED_DATA || !isDetached || signers.length !== 1) throw refuse(MALFORMED);
    const signer = new pkijs.SignerInfo({ schema: signers[0] });
    const { digestAlgorithm, signatureAlgorithm, signature } = signer;
    const isRight = digestAlgorithm.algorithmId === SHA256 && SIGNATURES.includes(signatureAlgorithm.algorithmId);
    if (!isRight) throw refuse(MALFORMED);
    return {
      certificates: certificates.map((each) => parseCertificate(pkijs, Buffer.from(each.valueBeforeDecodeView))),
      ...attributesOf(signer),
      signature: Buffer.from(signature.valueBlock.valueHexView),
    };
  } catch {
    throw refuse(MALFORMED);
  }
};

const SET = 17;

/** ContentInfo around SignedData: version, digests, content, [0] certificates, perhaps [1], signers. */
const partsOf = (whole: Asn1.AsnType) => {
  const [type] = childrenOf(whole);
  const [signedData] = childrenOf(taggedContentOf(whole));
  if (signedData === undefined) throw new TypeError('no signed data');
  const fields = childrenOf(signedData);
  const [content, signers] = [fields[2], fields.at(-1)];
  if (content === undefined || signers?.idBlock.tagNumber !== SET) throw new TypeError('no signers');
  return {
    contentType: nameOf(type),
    content: childrenOf(content),
    certificates: childrenOf(taggedContentOf(signedData)),
    signers: childrenOf(signers),
  };
};

const rootCertificate = new Map<string, ChainCertificate>();
const KNOWN_MAX = 16;

/**
 * A certificate in its original bytes: parsed and written again, it might differ from the signed bytes. Apple uses the
 * same few certificates for years, and parsing one is most of the work for a token.
 */
const parseCertificate = (pkijs: typeof Pkijs, raw: Buffer): ChainCertificate => {
  const name = raw.toString('base64');
  const earlierAttribute = rootCertificate.get(name);
  if (earlierAttribute !== undefined) return earlierAttribute;
  const { extensions = [] } = pkijs.Certificate.fromBER(raw);
  const match = { certificate: new X509Certificate(raw), extensions: new Set(extensions.map(({ extnID }) => extnID)) };
  if (rootCertificate.size >= KNOWN_MAX) rootCertificate.clear();
  rootCertificate.set(name, match);
  return match;
};

const taggedContentOf = (parent: Asn1.AsnType): Asn1.AsnType => {
  const match = childrenOf(parent).find(({ idBlock }) => idBlock.tagClass === 3 && idBlock.tagNumber === 0);
  if (match === undefined) throw new TypeError('no [0]');
  return match;
};

const childrenOf = ({ valueBlock }: Asn1.AsnType): readonly Asn1.AsnType[] =>
  'value' in valueBlock && Array.isArray(valueBlock.value) ? (valueBlock.value as readonly Asn1.AsnType[]) : [];

/** An object identifier with dots. */
const nameOf = (block: Asn1.AsnType | undefined): string => block?.valueBlock.toString() ?? '';

/** The attributes signed besides the content. Each of the three is present exactly once (RFC 5652, section 11). */
const attributesOf = ({ signedAttrs }: SignerInfo) => {
  if (signedAttrs === undefined) throw new TypeError('no signed attributes');
  const onlyValueOf = (type: string): unknown => {
    const [attribute, ...others] = signedAttrs.attributes.filter((each) => each.type === type);
    if (attribute === undefined || attribute.values.length !== 1 || others.length > 0) throw new TypeError(type);
    return attribute.values[0];
  };
  const contentType = onlyValueOf(CONTENT_TYPE) as { valueBlock: { toString(): string } };
  if (contentType.valueBlock.toString() !== DATA) throw new TypeError('content type');
  const digest = onlyValueOf(MESSAGE_DIGEST) as { valueBlock: { valueHexView: Uint8Array } };
  const time = onlyValueOf(SIGNING_TIME) as { toDate(): Date };
  const signingTime = time.toDate().getTime();
  if (Number.isNaN(signingTime)) throw new TypeError('signing time');
  return {
    signedAttributes: Buffer.from(signedAttrs.encodedValue),
    messageDigest: Buffer.from(digest.valueBlock.valueHexView),
    signingTime,
  };
};
