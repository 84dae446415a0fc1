export { eventBox } from './eventBox';
export { fundTestnet } from './fundTestnet';
export { onboardUser } from './onboardUser';
export { transfer } from './transfer';
export { userSession } from './userSession';
