/** Windows paths that lead to the network, in every form. */
import { expect, test } from 'vitest';
import { shareOf } from '../../src/folder/rights/windows-programs.ts';

/** Z: is mapped, C:\link leads to a share, and S: is a folder of this machine under its own drive letter. */
const leads: Readonly<Record<string, string>> = {
  'Z:\\': '\\\\server\\tills\\',
  'Z:\\till': '\\\\server\\tills\\till',
  'C:\\': 'C:\\',
  'C:\\till': 'C:\\till',
  'C:\\link': '\\\\?\\UNC\\server\\tills\\one',
  'S:\\': 'C:\\shop\\',
};
const follow = (path: string): string => {
  const found = leads[path];
  if (found === undefined) throw Object.assign(new Error('not there'), { code: 'ENOENT' });
  return found;
};

test.each([
  ['\\\\server\\tills\\till', '\\\\server\\tills'],
  ['//server/tills/till', '\\\\server\\tills'],
  ['\\\\?\\UNC\\server\\tills\\till', '\\\\server\\tills'],
  ['Z:\\till', '\\\\server\\tills'],
  ['Z:\\till\\that\\is not made yet', '\\\\server\\tills'],
  ['C:\\link\\till', '\\\\server\\tills'],
  ['C:\\till', undefined],
  ['C:\\new', undefined],
  ['S:\\till', undefined],
  ['\\\\?\\C:\\till', undefined],
  ['\\\\.\\C:\\till', undefined],
  ['Q:\\till', undefined],
])('%s: %s', (path, share) => {
  expect(shareOf(path, follow)).toBe(share);
});
