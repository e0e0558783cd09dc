/* In unit tests the API offers nothing beyond section 7. A test that needs an offer stubs the global. */
Object.assign(globalThis, { __OFFERS__: {} });
