export { eventBox } from './eventBox';
export { eventDelivery } from './eventDelivery';
export { fundTestnet } from './fundTestnet';
export { transfer } from './transfer';
export { userSession } from './userSession';
