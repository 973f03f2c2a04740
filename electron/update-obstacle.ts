/** What stands in the way of an update before anything is ended for it, in words for the technician. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode, systemWords } from '../src/base/system-words.ts';
import { tellUpdate, type UpdateReason } from '../src/terminals/support/updates.ts';
import { bytesToInstall, hasRoom, type PutParts, wayOf } from './put-in-place.ts';
import { isOutOfTries, type UpdateState } from './updates.ts';

export type ObstacleParts = {
  /** That was fetched. */
  version: string;
  state: UpdateState;
  platform: string;
  /** Of Windows: the folder of programs for everybody, where this one is below it: only an administrator changes it. */
  programFiles: string | undefined;
  /** Where reports of failures lie. */
  reports: string;
  put: PutParts;
};

/** Undefined where nothing does: nobody may be there to answer what the system would ask. */
export const obstacleTo = ({ version, state, platform, ...parts }: ObstacleParts): UpdateReason | undefined => {
  const { programFiles, reports, put } = parts;
  if (state.bad.includes(version)) return tellUpdate('bad', { version });
  if (isOutOfTries(state, version)) return tellUpdate('gaveUp', { version, folder: reports });
  // The system's own updater looks after the rest.
  if (platform === 'darwin') return undefined;
  const way = wayOf(put);
  if (way === 'person') return tellUpdate('package', { file: put.installer });
  if (programFiles !== undefined) return tellUpdate('programFiles', { folder: programFiles, file: put.installer });
  if (way === 'appImage') {
    const folder = dirname(put.appImage ?? '');
    return mayReplace(put.appImage ?? '') ? undefined : tellUpdate('folder', { folder });
  }
  return hasRoom(put) ? undefined : tellRoom(version, put.installer);
};

/** Why it could not be installed after all. */
export const tellFailure = (
  error: unknown,
  { version, installer }: { version: string; installer: string },
): UpdateReason =>
  systemCode(error) === 'ENOSPC'
    ? tellRoom(version, installer)
    : tellUpdate('failed', { version, why: systemWords(error) });

const tellRoom = (version: string, installer: string): UpdateReason =>
  tellUpdate('room', { version, megabytes: Math.ceil(bytesToInstall(installer) / 1e6) });

/** Tried, for the rights of a folder do not tell: its disk may be read-only, or it may be another system's. */
const mayReplace = (appImage: string): boolean => {
  const trial = `${appImage}.new`;
  try {
    closeSync(openSync(trial, 'w'));
    rmSync(trial, { force: true });
    return true;
  } catch (error) {
    return systemCode(error) === 'ENOSPC';
  }
};
