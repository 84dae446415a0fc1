export { eventBox } from './eventBox';
export { eventDelivery } from './eventDelivery';
export { fundTestnet } from './fundTestnet';
export { onboardUser } from './onboardUser';
export { transfer } from './transfer';
export { userSession } from './userSession';
