/** Reads certificate and key from their files and checks them, so that a wrong file is reported at the start. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { errorText, Fault } from '../../../base/fault.ts';
import { readTextFile } from '../../../base/files.ts';

export type TlsOptions = { cert: string; key: string; minVersion: 'TLSv1.2' };

/** `warnings` are whole sentences, for people. */
export type Tls = { options: TlsOptions; warnings: readonly string[] };

/** A certificate that expires within this time gets a warning. */
const SOON_MS = 14 * 86_400_000;

/**
 * Reads PEM files. `now` is wall time, ms: an expired or not yet valid certificate is used all the same, with a
 * warning, because it must not stop a shop. Throws `config.malformed` for a file that is missing, not PEM, encrypted
 * with a password, or not a pair.
 */
export const loadTls = (files: { cert: string; key: string }, now: number): Tls => {
  const cert = read(files.cert);
  const key = read(files.key);
  const certificate = parseCertificate(cert, files.cert);
  if (!certificate.checkPrivateKey(parsePrivateKey(key, files.key))) {
    throw unusableFault(files.key, `it is not the key of the certificate in ${files.cert}`);
  }
  return { options: { cert, key, minVersion: 'TLSv1.2' }, warnings: warningsOf(certificate, files.cert, now) };
};

const unusableFault = (file: string, reason: string, cause?: unknown): Fault =>
  new Fault('config.malformed', { file, why: reason }, cause);

const readErrorReason: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
};

const read = (file: string): string => {
  try {
    return readTextFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw unusableFault(file, readErrorReason[code] ?? errorText(error), error);
  }
};

const parseCertificate = (pem: string, file: string): X509Certificate => {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw unusableFault(file, 'it contains no certificate in PEM format', error);
  }
};

const parsePrivateKey = (pem: string, file: string): KeyObject => {
  // A prompt for the password would block the start of a service.
  if (pem.includes('ENCRYPTED'))
    throw unusableFault(file, 'the key is encrypted with a password; store it without one');
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw unusableFault(file, 'it contains no private key in PEM format', error);
  }
};

const warningsOf = ({ validFromDate, validToDate }: X509Certificate, file: string, now: number): readonly string[] => {
  const from = validFromDate.getTime();
  const to = validToDate.getTime();
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  if (now < from) return [`The certificate in ${file} is not valid before ${dayOf(from)}: clients will refuse it.`];
  if (now > to) return [`The certificate in ${file} expired on ${dayOf(to)}: clients will refuse it.`];
  return to - now < SOON_MS ? [`The certificate in ${file} expires on ${dayOf(to)}.`] : [];
};
