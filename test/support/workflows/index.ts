/** The product's workflow types and those that only tests run. */
export * from '../../../workflows';
export * from '../temporalWorkflows';
export * from './approver';
export { everyPlace, everyPlaceChild, scheduled } from './everyPlace';
export * from './failingTask';
export * from './inputCollector';
export { overlap } from './overlap';
export * from './sealedNote';
export * from './sessionCaller';
export * from './wedged';
