export type Brand = 'VISA' | 'MASTER' | 'MAESTRO' | 'AMEX' | 'DINERS' | 'DISCOVER' | 'JCB' | 'UNIONPAY' | 'CARTEBLEUE';
