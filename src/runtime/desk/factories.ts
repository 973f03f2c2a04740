/** Which desk stands behind each area of a till's local API. */
import { openBooksDeskPort } from './books.ts';
import type { Factories } from './desks.ts';
import { openDevicesDesk } from './devices.ts';
import { openPaperDesk } from './paper.ts';
import { openSellingDesk } from './selling.ts';

export const tillDesks: Factories = {
  selling: (parts) => openSellingDesk(parts),
  books: (parts) => openBooksDeskPort(parts),
  devices: (parts) => openDevicesDesk(parts),
  paper: (parts) => openPaperDesk(parts),
};
