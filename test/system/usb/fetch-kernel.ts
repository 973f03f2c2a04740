/** Fetches the kernel for the USB bench, once: `npx node test/system/usb/fetch-kernel.ts`. */
import { fetchKernel, findKernel } from './kernel.ts';

if (findKernel() === undefined) fetchKernel();
