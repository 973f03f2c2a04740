/** What `onError` is told: a name to switch on, and a sentence for the one who builds the shop. */

export type WidgetErrorName = 'InvalidCheckoutIdError' | 'PciIframeSubmitError' | 'WidgetError';

export type WidgetError = Error & { readonly name: WidgetErrorName };

export const widgetError = (name: WidgetErrorName, message: string): WidgetError =>
  Object.assign(new Error(message), { name });
