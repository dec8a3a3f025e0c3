//! Checks packets against a policy.

use varbytes::DecodeErrorKind;
use varbytes::build::ObjectPolicy;
use varbytes::variant::ContainerType;

use super::check_state::{Accepted, AcceptedClass, CheckState};
use super::lists::Policy;
use crate::scripts::refused;

/// Checks a packet against a policy before anything is built.
pub(crate) struct PolicyCheck<'p> {
    policy: &'p Policy,
    /// `None` until the first object.
    state: Option<Box<CheckState>>,
}

impl<'p> PolicyCheck<'p> {
    pub(crate) fn new(policy: &'p Policy) -> Self {
        Self { policy, state: None }
    }

    fn state(&mut self) -> &mut CheckState {
        let policy = self.policy;
        self.state.get_or_insert_with(|| policy.check_state.take().unwrap_or_default())
    }

    fn accepted_class(&mut self, class: &str) -> Result<&mut AcceptedClass, String> {
        let policy = self.policy;
        self.state().classes.get(class, |class| {
            policy.listed(class, None).and_then(|_| policy.refuse_dangerous(class)).map(|()| AcceptedClass::default())
        })
    }

    fn accepted(&mut self, class: &str, script: Option<&str>) -> Result<&mut Accepted, String> {
        let policy = self.policy;
        let accepted = self.accepted_class(class)?;
        match script {
            None => Ok(&mut accepted.without_script),
            Some(path) => {
                accepted.with_script.get(path, |path| policy.listed(class, Some(path)).map(|_| Accepted::default()))
            }
        }
    }
}

impl Drop for PolicyCheck<'_> {
    fn drop(&mut self) {
        if let Some(mut state) = self.state.take() {
            state.open.clear();
            self.policy.check_state.store(Some(state));
        }
    }
}

impl ObjectPolicy for PolicyCheck<'_> {
    fn class(&mut self, class: &str) -> Result<(), DecodeErrorKind> {
        self.accepted_class(class).map_err(refused)?;
        self.state().open.push(false);
        Ok(())
    }

    fn property(&mut self, class: &str, script: Option<&str>, property: &str) -> Result<(), DecodeErrorKind> {
        let policy = self.policy;
        let accepted = self.accepted(class, script).map_err(refused)?;
        let find = |name: &str| policy.refuse_property(class, script, name);
        accepted.properties.get(property, find).map(drop).map_err(refused)
    }

    fn script(&mut self, class: &str, path: &str) -> Result<(), DecodeErrorKind> {
        if self.state().open.last_mut().is_some_and(|has_script| std::mem::replace(has_script, true)) {
            return Err(refused(format!("script {path:?} is the second script of its object")));
        }
        self.accepted(class, Some(path)).map(drop).map_err(refused)
    }

    fn complete(&mut self, class: &str, script: Option<&str>) -> Result<(), DecodeErrorKind> {
        self.state().open.pop();
        let policy = self.policy;
        let accepted = self.accepted(class, script).map_err(refused)?;
        if !accepted.is_complete {
            policy.object(class, script).map_err(refused)?;
            accepted.is_complete = true;
        }
        Ok(())
    }

    fn container_type(&mut self, container_type: &ContainerType) -> Result<(), DecodeErrorKind> {
        match container_type {
            // The engine would load this script.
            ContainerType::Script(path) => self.policy.container_script(path).map_err(refused),
            // A class name creates nothing.
            _ => Ok(()),
        }
    }
}
