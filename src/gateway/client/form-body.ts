/** The body of a request to a gateway: its parameters as a form, in bytes that can be overwritten. */
import { writeHex } from '../../base/overwrite.ts';

/** Bytes are written as hex, straight into the body: no text of them is ever made. */
export type FormParameters = Readonly<Record<string, string | Uint8Array>>;

type Part = { readonly before: string; readonly bytes?: Uint8Array };

/** As `application/x-www-form-urlencoded` has it, in the given order. The caller overwrites it once it was sent. */
export const formBody = (parameters: FormParameters): Uint8Array<ArrayBuffer> => {
  const parts = Object.entries(parameters).map(([name, value], at): Part => {
    const joint = at === 0 ? '' : '&';
    if (typeof value === 'string') return { before: `${joint}${new URLSearchParams({ [name]: value })}` };
    return { before: `${joint}${new URLSearchParams({ [name]: '' })}`, bytes: value };
  });
  // What URLSearchParams writes is ASCII: a byte for each character.
  const size = parts.reduce((sum, { before, bytes }) => sum + before.length + 2 * (bytes?.length ?? 0), 0);
  const body = new Uint8Array(size);
  let at = 0;
  for (const { before, bytes } of parts) {
    new TextEncoder().encodeInto(before, body.subarray(at));
    at += before.length;
    if (bytes === undefined) continue;
    writeHex(bytes, body, at);
    at += 2 * bytes.length;
  }
  return body;
};
