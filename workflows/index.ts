export { changePin } from './changePin';
export { fundTestnet } from './fundTestnet';
export { signPayload } from './signPayload';
export { transfer } from './transfer';
