export { fundTestnet } from './fundTestnet';
export { transfer } from './transfer';
