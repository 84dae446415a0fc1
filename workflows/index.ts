export { eventBox } from './eventBox';
export { fundTestnet } from './fundTestnet';
export { transfer } from './transfer';
export { userSession } from './userSession';
