/** A self-signed certificate for 127.0.0.1, made on the spot (RFC 5280) with nothing but Node. */
import { generateKeyPairSync, sign } from 'node:crypto';

export type Certificate = { cert: string; key: string };

/** The certificate's validity, and a DNS name besides its address. */
type CertificateOptions = { from?: Date; to?: Date; name?: string };

const der = (tag: number, ...parts: Uint8Array[]): Uint8Array => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.of(tag, ...lengthOf(content)), content]);
};
/** In as few bytes as possible, because browsers accept nothing else. */
const lengthOf = ({ length }: Uint8Array): readonly number[] => {
  if (length < 128) return [length];
  return length < 256 ? [0x81, length] : [0x82, Math.floor(length / 256), length % 256];
};
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`, 'ascii'));
const bits = (content: Uint8Array) => der(0x03, Uint8Array.of(0), content);

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'));
const name = (common: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(common)))));
/** The extension subjectAltName: the address 127.0.0.1, and the name. */
const alternatives = (dns?: string) => {
  const names = dns === undefined ? [] : [der(0x82, Buffer.from(dns, 'ascii'))];
  return sequence(oid('551d11'), der(0x04, sequence(der(0x87, Uint8Array.of(127, 0, 0, 1)), ...names)));
};

/** In PEM. Valid from a year ago for two years, unless told otherwise. */
export const selfSigned = (request: CertificateOptions = {}): Certificate => {
  const year = new Date().getUTCFullYear();
  const { from = new Date(Date.UTC(year - 1, 0)), to = new Date(Date.UTC(year + 2, 0)) } = request;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    der(0x02, Uint8Array.of(1)),
    ECDSA_SHA256,
    name('tillgate test'),
    sequence(utcTime(from), utcTime(to)),
    name('tillgate test'),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternatives(request.name))),
  );
  const certificate = sequence(body, ECDSA_SHA256, bits(sign('sha256', body, privateKey)));
  const lines =
    Buffer.from(certificate)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};
