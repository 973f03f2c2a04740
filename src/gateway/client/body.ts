/** Reads a body with a size limit, so that nobody can exhaust the memory. */

export type ReadBody = { kind: 'text'; text: string } | { kind: 'refused'; why: string };

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The whole body as UTF-8 text. Reads at most `maxBytes` bytes. */
export const readText = async (source: Request | Response, maxBytes: number): Promise<ReadBody> => {
  const bytes = await readBytes(source, maxBytes);
  if (bytes === undefined) return refuseTooLong(maxBytes);
  try {
    return { kind: 'text', text: decoder.decode(bytes) };
  } catch {
    return { kind: 'refused', why: 'The body is not UTF-8.' };
  }
};

/** The whole body, or undefined if it has more than `maxBytes` bytes; the rest is then not read. */
export const readBytes = async (source: Request | Response, maxBytes: number): Promise<Uint8Array | undefined> => {
  const count = Number(source.headers.get('content-length') ?? Number.NaN);
  if (count > maxBytes) return undefined;
  // HTTP enforces the declared length unless the body is compressed, so the body can be read in one go.
  const bounded = Number.isNaN(count) || source.headers.has('content-encoding');
  const bytes = bounded ? await readBounded(source.body, maxBytes) : new Uint8Array(await source.arrayBuffer());
  return bytes === undefined || bytes.length > maxBytes ? undefined : bytes;
};

const refuseTooLong = (maxBytes: number): ReadBody => ({
  kind: 'refused',
  why: `The body has more than ${maxBytes} bytes.`,
});

const readBounded = async (
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> => {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of body) {
    byteCount += chunk.length;
    // Leaving the loop cancels the stream: the rest is never read.
    if (byteCount > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
