/** The product's workflow types and those that only tests run. */
export * from '../../../workflows';
export * from '../temporalWorkflows';
export * from './sealedNote';
export * from './inputCollector';
export * from './approver';
export * from './sessionCaller';
export * from './failingTask';
