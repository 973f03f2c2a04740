/** The manager's sections in the order of the navigation, each with its address and its key: Alt and a digit. */

export const sections = [
  { name: 'today', path: '/manager', key: '1' },
  { name: 'batches', path: '/manager/batches', key: '2' },
  { name: 'reconcile', path: '/manager/reconcile', key: '3' },
  { name: 'openItems', path: '/manager/open-items', key: '4' },
  { name: 'limits', path: '/manager/limits', key: '5' },
  { name: 'staff', path: '/manager/staff', key: '6' },
  { name: 'audit', path: '/manager/audit', key: '7' },
  { name: 'reports', path: '/manager/reports', key: '8' },
  { name: 'closing', path: '/manager/close', key: '0' },
] as const;

export type ManagerSection = (typeof sections)[number];
export type SectionName = ManagerSection['name'];

type Keys = { code: string } & Record<'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey', boolean>;

/** By the key's position, not its letter: with Alt, digits produce other characters on some keyboards. */
export const sectionOfKeys = ({ code, altKey, ctrlKey, metaKey, shiftKey }: Keys): ManagerSection | undefined => {
  if (!altKey || ctrlKey || metaKey || shiftKey) return undefined;
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  return sections.find(({ key }) => key === digit);
};

/** The section of an address: `/manager/batches/31` belongs to the batches. */
export const sectionOfPath = (path: string): ManagerSection => {
  const [today] = sections;
  return sections.find((one) => one !== today && (path === one.path || path.startsWith(`${one.path}/`))) ?? today;
};
