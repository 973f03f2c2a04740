/**
 * Whether this version knows the kind of an entry that is not about a sale. An unknown kind can be skipped if the entry
 * has `ignorable: true`. After any other unknown entry this version no longer touches the entry's subject.
 */
type Fields = { readonly on: string; readonly ignorable?: unknown; readonly critical?: unknown };

/** `critical` names fields without which the entry must not be read; this version knows none. */
export const howToRead = (known: Readonly<Record<string, true>>, event: object): 'read' | 'passOver' | 'newer' => {
  const { on, ignorable, critical } = event as Fields;
  if (Object.hasOwn(known, on)) return critical === undefined ? 'read' : 'newer';
  return ignorable === true ? 'passOver' : 'newer';
};
