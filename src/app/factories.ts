/** Which service stands behind each area of a till's local API. */
import { openBooksService } from '../books/service.ts';
import { openPaperService } from '../printing/service.ts';
import { openSellingService } from '../selling/service.ts';
import { openDevicesService } from '../terminals/service.ts';
import type { Factories } from './services.ts';

export const tillServices: Factories = {
  selling: (parts) => openSellingService(parts),
  books: (parts) => openBooksService(parts),
  devices: (parts) => openDevicesService(parts),
  paper: (parts) => openPaperService(parts),
};
