/** One connection to an SFTP server with a known host key: the few calls that an upload needs, as promises. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { SFTPWrapper, Stats } from 'ssh2';
import { errorText } from '../../base/fault.ts';
import { readTextFile } from '../../base/files.ts';
import { printable } from '../../base/mask.ts';
import type { SftpSettings } from './settings-shape.ts';

export type SftpSession = {
  /** Undefined if there is no such file. */
  size(path: string): Promise<number | undefined>;
  /** SHA-256 of the file's first `bytes` bytes, hex. */
  hashOf(path: string, bytes: number): Promise<string>;
  /** Writes the pieces from `offset` on, and asks the server to sync the file to its disk. */
  append(path: string, offset: number, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** Atomic if the server supports it (posix-rename@openssh.com). Replaces an existing file only then. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  close(): void;
};

/** Its message is for people, and contains no secret and no text from the server. */
export class SftpFailure extends Error {}

const READY_MS = 20_000;
const ALIVE_MS = 10_000;
/** Requests sent but not yet answered: enough to use a slow connection fully, and few enough to save memory. */
const WINDOW = 16;
const PIECE = 32 * 1024;

/** Connects, or throws `SftpFailure`. No password or key is sent to a server with another host key. */
export const openSftp = async (settings: SftpSettings): Promise<SftpSession> => {
  // Loaded only here: a till that uploads no files never needs it.
  const { Client } = await import('ssh2');
  const { host, port = 22, user, hostKey, password, keyFile, passphrase } = settings;
  const client = new Client();
  let isStranger = false;
  let closeError: Error | undefined;
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
    const fail = (error: Error): void => reject(new SftpFailure(isStranger ? UNTRUSTED_HOST_KEY : reasonOf(error)));
    client.on('error', (error) => {
      closeError = error;
      fail(error);
    });
    client.on('close', () => fail(closeError ?? new Error('the connection was closed')));
    client.on('ready', () => client.sftp((error, opened) => (error ? fail(error) : resolve(opened))));
    try {
      client.connect({
        host,
        port,
        username: user,
        readyTimeout: READY_MS,
        keepaliveInterval: ALIVE_MS,
        keepaliveCountMax: 3,
        password,
        privateKey: keyFile === undefined ? undefined : readKey(keyFile),
        passphrase,
        hostVerifier: (key: Buffer) => {
          isStranger = !isKnown(key, hostKey);
          return !isStranger;
        },
      });
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  }).catch((error: unknown) => {
    client.destroy();
    throw error;
  });
  return createSession(sftp, client);
};

const UNTRUSTED_HOST_KEY =
  'its host key differs from the configured one: it is not trusted, and no login was attempted';

const isKnown = (key: Buffer, expected: string): boolean => {
  const actual = createHash('sha256').update(key).digest();
  const expectedHash = Buffer.from(expected.replace(/^SHA256:/, ''), 'base64');
  return expectedHash.length === actual.length && timingSafeEqual(expectedHash, actual);
};

const readKey = (file: string): Buffer => {
  try {
    return Buffer.from(readTextFile(file));
  } catch (error) {
    throw new SftpFailure(`its key file cannot be read (${(error as { code?: string }).code ?? 'unknown'})`);
  }
};

const reasonOf = (error: Error & { level?: string; code?: unknown }): string => {
  if (error instanceof SftpFailure) return error.message;
  if (error.level === 'client-authentication') return 'the server refuses the login';
  if (/parse.*key|passphrase|private key/i.test(error.message)) return 'its key file cannot be used';
  return printable(errorText(error), 120);
};

type SftpCall<T> = (done: (error: Error | undefined | null, value: T) => void) => void;

const createSession = (
  sftp: SFTPWrapper,
  client: { end(): void; on(event: 'close', listener: () => void): unknown },
) => {
  let close = (_: Error): void => {};
  const closed = new Promise<never>((_, reject) => {
    close = reject;
  });
  closed.catch(() => {});
  client.on('close', () => close(new SftpFailure('the connection was lost')));
  /** Fails the calls that the end of the connection would leave unanswered. */
  const request = <T>(call: SftpCall<T>): Promise<T> =>
    Promise.race([
      closed,
      new Promise<T>((resolve, reject) => {
        try {
          call((error, value) => (error ? reject(failureOf(error)) : resolve(value)));
        } catch (error) {
          reject(failureOf(error as Error));
        }
      }),
    ]);
  const opened = async <T>(path: string, flags: 'r' | 'r+' | 'w', work: (handle: Buffer) => Promise<T>): Promise<T> => {
    const handle = await request<Buffer>((done) => sftp.open(path, flags, { mode: 0o600 }, done));
    try {
      return await work(handle);
    } finally {
      await request<void>((done) => sftp.close(handle, (error) => done(error, undefined))).catch(() => {});
    }
  };
  const session: SftpSession = {
    async size(path) {
      try {
        return (await request<Stats>((done) => sftp.stat(path, done))).size;
      } catch (error) {
        if ((error as { code?: number }).code === NO_SUCH_FILE) return undefined;
        throw error;
      }
    },
    hashOf: (path, bytes) => opened(path, 'r', (handle) => hashIn({ sftp, request, handle }, bytes)),
    append: (path, offset, pieces) =>
      opened(path, offset === 0 ? 'w' : 'r+', async (handle) => {
        await writeAll({ sftp, request, handle }, offset, pieces);
        // Not every server supports it; the size and the rename are checked in any case.
        await request<void>((done) => sftp.ext_openssh_fsync(handle, (error) => done(error, undefined))).catch(
          () => {},
        );
      }),
    async rename(from, to) {
      try {
        await request<void>((done) => sftp.ext_openssh_rename(from, to, (error) => done(error, undefined)));
      } catch (error) {
        if (!/does not support/i.test(errorText(error))) throw error;
        await request<void>((done) => sftp.rename(from, to, (failed) => done(failed, undefined)));
      }
    },
    remove: (path) => request<void>((done) => sftp.unlink(path, (error) => done(error, undefined))),
    close: () => client.end(),
  };
  return session;
};

type Handle = { sftp: SFTPWrapper; request: <T>(call: SftpCall<T>) => Promise<T>; handle: Buffer };

const NO_SUCH_FILE = 2;

const failureOf = (error: Error & { code?: number }): SftpFailure =>
  error instanceof SftpFailure
    ? error
    : Object.assign(new SftpFailure(printable(errorText(error), 120)), { code: error.code });

const hashIn = async ({ sftp, request, handle }: Handle, bytes: number): Promise<string> => {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(PIECE);
  for (let i = 0; i < bytes; ) {
    const readLength = Math.min(PIECE, bytes - i);
    const readCount = await request<number>((done) =>
      sftp.read(handle, chunk, 0, readLength, i, (error, read) => done(error, read)),
    );
    if (readCount === 0) throw new SftpFailure('the file on the server became shorter while it was read');
    hash.update(chunk.subarray(0, readCount));
    i += readCount;
  }
  return hash.digest('hex');
};

const writeAll = async ({ sftp, request, handle }: Handle, offset: number, pieces: AsyncIterable<Uint8Array>) => {
  const writesInProgress = new Set<Promise<void>>();
  let position = offset;
  for await (const block of pieces) {
    for (let from = 0; from < block.length; from += PIECE) {
      const chunk = Buffer.from(block.subarray(from, from + PIECE));
      const writeOffset = position;
      const one = request<void>((done) =>
        sftp.write(handle, chunk, 0, chunk.length, writeOffset, (error) => done(error, undefined)),
      );
      const trackedWrite = one.finally(() => writesInProgress.delete(trackedWrite));
      writesInProgress.add(trackedWrite);
      trackedWrite.catch(() => {});
      position += chunk.length;
      if (writesInProgress.size >= WINDOW) await Promise.race(writesInProgress);
    }
  }
  await Promise.all(writesInProgress);
};
