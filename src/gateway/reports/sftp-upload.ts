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
  onProgress: (bytes: number, of: number) => void = () => {},
): Promise<UploadResult> => {
  const local = await hashOfFile(path);
  if (local === undefined) throw new SftpFailure('the file is not in its folder');
  const session = await openSftp(settings);
  try {
    return await upload(session, { path, local, settings, onProgress });
  } finally {
    session.close();
  }
};

type Upload = {
  path: string;
  local: { bytes: number; hash: string };
  settings: SftpSettings;
  onProgress: (bytes: number, of: number) => void;
};

const upload = async (session: SftpSession, { path, local, settings, onProgress }: Upload): Promise<UploadResult> => {
  const { bytes, hash } = local;
  const folder = settings.folder === undefined ? '' : `${settings.folder.replace(/\/+$/, '')}/`;
  const name = `${folder}${basename(path)}`;
  const partPath = `${folder}.${basename(path)}.part`;
  const existingSize = await session.size(name);
  if (existingSize !== undefined) {
    if (existingSize === bytes && (await session.hashOf(name, bytes)) === hash)
      return { ...local, known: true, resumedAt: 0 };
    throw new SftpFailure('another file of this name is there already; it was left as it is');
  }
  const resumedAt = await resumeOffset(session, { part: partPath, path, bytes });
  await session.append(
    partPath,
    resumedAt,
    piecesOf(path, resumedAt, (sent) => onProgress(sent, bytes)),
  );
  const partSize = await session.size(partPath);
  if (partSize !== bytes) throw new SftpFailure(`the server has ${partSize ?? 0} of ${bytes} bytes`);
  await session.rename(partPath, name);
  return { ...local, known: false, resumedAt };
};

type Part = { part: string; path: string; bytes: number };

/** How much of the partial file can be kept: all of it if it is right, otherwise nothing. */
const resumeOffset = async (session: SftpSession, { part, path, bytes }: Part): Promise<number> => {
  const partSize = await session.size(part);
  if (partSize === undefined || partSize === 0) return 0;
  const localHash = partSize > bytes ? undefined : await hashOfFile(path, partSize);
  return localHash !== undefined && localHash.hash === (await session.hashOf(part, partSize)) ? partSize : 0;
};

async function* piecesOf(path: string, start: number, sent: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let position = start;
  for await (const chunk of createReadStream(path, { start })) {
    yield chunk as Uint8Array;
    position += (chunk as Uint8Array).length;
    sent(position);
  }
}
