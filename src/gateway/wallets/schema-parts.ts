/** What the tokens of all providers are made of. */
import * as z from 'zod';

export const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);
export const hex = z.string().regex(/^(?:[0-9A-Fa-f]{2})+$/);
export const text = z.string().min(1);
/** A card's number, or the device's that stands for it. */
export const accountNumber = z.string().regex(/^\d{12,19}$/);
/** Wall time, ms. */
export const milliseconds = z.string().regex(/^\d{1,15}$/);
