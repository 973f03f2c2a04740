/** Which desk stands behind each area of a till's local API. */
import { openBooksDeskPort } from '../books/service.ts';
import { openPaperDesk } from '../printing/service.ts';
import { openSellingDesk } from '../selling/service.ts';
import { openDevicesDesk } from '../terminals/service.ts';
import type { Factories } from './desks.ts';

export const tillDesks: Factories = {
  selling: (parts) => openSellingDesk(parts),
  books: (parts) => openBooksDeskPort(parts),
  devices: (parts) => openDevicesDesk(parts),
  paper: (parts) => openPaperDesk(parts),
};
