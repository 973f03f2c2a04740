/** Uploads a file to an SFTP server: complete under its name, or not at all; an interrupted upload is continued. */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { hashOfFile } from './placed-file.ts';
import type { SftpSettings } from './settings-shape.ts';
import { openSftp, SftpFailure, type SftpSession } from './sftp-session.ts';

export type UploadResult = {
  readonly bytes: number;
  readonly hash: string;
  /** The file was already there: nothing was sent. */
  readonly known: boolean;
  /** Bytes that an earlier attempt had uploaded. */
  readonly resumedAt: number;
};

/** Throws `SftpFailure` with a message for people. */
export const uploadFile = async (
  path: string,
  settings: SftpSettings,
  progress: (bytes: number, of: number) => void = () => {},
): Promise<UploadResult> => {
  const local = await hashOfFile(path);
  if (local === undefined) throw new SftpFailure('the file is not in its folder');
  const session = await openSftp(settings);
  try {
    return await upload(session, { path, local, settings, progress });
  } finally {
    session.close();
  }
};

type Upload = {
  path: string;
  local: { bytes: number; hash: string };
  settings: SftpSettings;
  progress: (bytes: number, of: number) => void;
};

const upload = async (session: SftpSession, { path, local, settings, progress }: Upload): Promise<UploadResult> => {
  const { bytes, hash } = local;
  const folder = settings.folder === undefined ? '' : `${settings.folder.replace(/\/+$/, '')}/`;
  const name = `${folder}${basename(path)}`;
  const part = `${folder}.${basename(path)}.part`;
  const there = await session.size(name);
  if (there !== undefined) {
    if (there === bytes && (await session.hashOf(name, bytes)) === hash) return { ...local, known: true, resumedAt: 0 };
    throw new SftpFailure('another file of this name is there already; it was left as it is');
  }
  const resumedAt = await resumableAt(session, { part, path, bytes });
  await session.append(
    part,
    resumedAt,
    piecesOf(path, resumedAt, (sent) => progress(sent, bytes)),
  );
  const size = await session.size(part);
  if (size !== bytes) throw new SftpFailure(`the server has ${size ?? 0} of ${bytes} bytes`);
  await session.rename(part, name);
  return { ...local, known: false, resumedAt };
};

type Part = { part: string; path: string; bytes: number };

/** How much of the partial file can be kept: all of it if it is right, otherwise nothing. */
const resumableAt = async (session: SftpSession, { part, path, bytes }: Part): Promise<number> => {
  const size = await session.size(part);
  if (size === undefined || size === 0) return 0;
  const own = size > bytes ? undefined : await hashOfFile(path, size);
  return own !== undefined && own.hash === (await session.hashOf(part, size)) ? size : 0;
};

async function* piecesOf(path: string, start: number, sent: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let at = start;
  for await (const piece of createReadStream(path, { start })) {
    yield piece as Uint8Array;
    at += (piece as Uint8Array).length;
    sent(at);
  }
}
