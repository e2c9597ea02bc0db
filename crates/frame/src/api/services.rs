//! One instance of each type in a process: the queues and caches of areas that the frame does not know.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// Instances by their type. An entry is added at its first use and stays.
#[derive(Default)]
pub struct Services {
    by_type: RwLock<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

impl Services {
    /// The instance of a type, made by `Default` if there is none yet.
    pub fn get<S: Default + Send + Sync + 'static>(&self) -> Arc<S> {
        let known = self.by_type.read().unwrap_or_else(PoisonError::into_inner).get(&TypeId::of::<S>()).cloned();
        let service = known.unwrap_or_else(|| {
            let mut by_type = self.by_type.write().unwrap_or_else(PoisonError::into_inner);
            by_type.entry(TypeId::of::<S>()).or_insert_with(|| Arc::<S>::default()).clone()
        });
        service.downcast().expect("an entry has the type it is filed under")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::*;

    #[test]
    fn a_type_has_one_instance() {
        let services = Services::default();
        services.get::<AtomicU8>().store(7, Ordering::Relaxed);
        assert_eq!(services.get::<AtomicU8>().load(Ordering::Relaxed), 7);
        assert!(services.get::<String>().is_empty());
    }
}
