export { changePin } from './changePin';
export { eventBox } from './eventBox';
export { eventDelivery } from './eventDelivery';
export { fundTestnet } from './fundTestnet';
export { onboardUser } from './onboardUser';
export { signPayload } from './signPayload';
export { transfer } from './transfer';
export { userSession } from './userSession';
