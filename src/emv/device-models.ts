/**
 * The card terminals that this project knows by name: the code for pos.deviceType, and the device's own name for
 * itself. The names are from the makers' public protocol documents; any other terminal works as well.
 */

export type DeviceModel = {
  /** Letters and digits, up to 32: pos.deviceType. */
  code: string;
  manufacturer: 'Miura' | 'MagTek' | 'ID TECH';
  /** The manufacturer's spelling. */
  name: string;
  /** The driver that speaks to it. */
  protocol: 'mpi' | 'mms' | 'neo2';
  /** Whether a PIN can be entered on it. Absent if none of its maker's public documents says. */
  hasPinPad?: boolean;
};

/**
 * Where `hasPinPad` comes from. Miura: the vendor's SDK names address 1 of the protocol, which the driver speaks to,
 * the PIN pad. MagTek: the DynaFlex manual has PIN entry on touch models only, which are the Pro and the II PED. ID
 * TECH: VP3350 Integration Manual 80178501-001, page 22 (9F33 as delivered is 6028C8: no PIN of any kind); VP6800 User
 * Manual, page 15 (Get PIN); VP8800 User Guide, page 3 (a PIN device with a keypad).
 */
const rows: readonly Omit<DeviceModel, 'code'>[] = [
  { manufacturer: 'Miura', name: 'M010', protocol: 'mpi', hasPinPad: true },
  { manufacturer: 'Miura', name: 'M020', protocol: 'mpi', hasPinPad: true },
  { manufacturer: 'MagTek', name: 'DynaFlex', protocol: 'mms', hasPinPad: false },
  { manufacturer: 'MagTek', name: 'DynaFlex Pro', protocol: 'mms', hasPinPad: true },
  { manufacturer: 'MagTek', name: 'DynaFlex II', protocol: 'mms', hasPinPad: false },
  { manufacturer: 'MagTek', name: 'DynaFlex II PED', protocol: 'mms', hasPinPad: true },
  { manufacturer: 'MagTek', name: 'DynaFlex II Go', protocol: 'mms', hasPinPad: false },
  { manufacturer: 'MagTek', name: 'DynaProx', protocol: 'mms', hasPinPad: false },
  { manufacturer: 'ID TECH', name: 'VP3300', protocol: 'neo2' },
  { manufacturer: 'ID TECH', name: 'VP3350', protocol: 'neo2', hasPinPad: false },
  { manufacturer: 'ID TECH', name: 'VP5300', protocol: 'neo2' },
  { manufacturer: 'ID TECH', name: 'VP6800', protocol: 'neo2', hasPinPad: true },
  { manufacturer: 'ID TECH', name: 'VP8800', protocol: 'neo2', hasPinPad: true },
  { manufacturer: 'ID TECH', name: 'Kiosk III', protocol: 'neo2' },
  { manufacturer: 'ID TECH', name: 'Kiosk IV', protocol: 'neo2' },
  { manufacturer: 'ID TECH', name: 'Kiosk V', protocol: 'neo2' },
];

const compact = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '');

export const deviceModels: readonly DeviceModel[] = rows.map((row) => ({ code: compact(row.name), ...row }));

/** A model's name in one form: case, spaces and dashes differ between firmware versions; some put the maker first. */
const key = (text: string): string =>
  compact(text)
    .toUpperCase()
    .replace(/^(?:MIURA|MAGTEK|IDTECH)(?=.)/, '');

const byKey = new Map(deviceModels.map((model) => [key(model.code), model]));

/** The model with this name or code, in any spelling; undefined for an unknown one. */
export const deviceModelOf = (text: string): DeviceModel | undefined => byKey.get(key(text));

const makers: ReadonlySet<string> = new Set(rows.map(({ manufacturer }) => compact(manufacturer).toUpperCase()));

const CODE_MAX = 32;

/**
 * pos.deviceType for a device's own name: the code of a known model; otherwise the letters and digits of the name, at
 * most 32. Undefined when there are none, and for a maker's name alone, which a driver uses for a device that names no
 * model: the parameter is then left out.
 */
export const deviceTypeOf = (text: string): string | undefined => {
  const code = deviceModelOf(text)?.code ?? compact(text).slice(0, CODE_MAX);
  return code === '' || makers.has(code.toUpperCase()) ? undefined : code;
};

/** Whether a PIN can be entered on a device with this name. A simulated terminal has what its model has. */
export const hasPinPad = (text: string): boolean | undefined =>
  deviceModelOf(text.replace(/^SIMULATED /, ''))?.hasPinPad;
