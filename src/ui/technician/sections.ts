/** The technician's panels in the order of the navigation: address, icon and key of each. */
import {
  IconArrowsExchange,
  IconBox,
  IconDeviceMobile,
  IconKey,
  IconPlug,
  IconPrinter,
  IconRefresh,
  IconRoute,
  IconSettings,
  IconWaveSine,
} from '../icons/icons.ts';

export const sections = [
  { name: 'devices', icon: IconDeviceMobile },
  { name: 'pair', icon: IconPlug },
  { name: 'trace', icon: IconArrowsExchange },
  { name: 'line', icon: IconRoute },
  { name: 'loopback', icon: IconWaveSine },
  { name: 'printers', icon: IconPrinter },
  { name: 'programKeys', icon: IconKey },
  { name: 'configuration', icon: IconSettings },
  { name: 'bundle', icon: IconBox },
  { name: 'updates', icon: IconRefresh },
] as const;

export type TechnicianSection = (typeof sections)[number]['name'];

export const pathOf = (name: TechnicianSection): string => `/technician/${name}`;

/** The panel that an address names; the terminals if it names none. */
export const sectionOf = (path: string): TechnicianSection =>
  sections.find(({ name }) => path.startsWith(pathOf(name)))?.name ?? 'devices';
